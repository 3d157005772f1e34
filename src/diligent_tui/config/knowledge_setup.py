"""The knowledge of a house: its files, as far as they may be used, and how the settings want it told."""

from diligent_tui.config.house import House
from diligent_tui.config.settings import KnowledgeSettings
from diligent_tui.domain.knowledge import KNOWLEDGE_TYPES, KnowledgePolicy
from diligent_tui.knowledge.files import KnowledgeFiles
from diligent_tui.knowledge.inbox import INBOX_NAME, Inbox
from diligent_tui.knowledge.shelf import KnowledgeShelf
from diligent_tui.knowledge.store import KnowledgeStore


def knowledge_of(house: House) -> KnowledgeShelf:
    """The project's knowledge, if its folder may be used, and the user's own."""
    places, trust_list = house.places, house.trust_list
    project = KnowledgeStore(
        places.knowledge, "project", made_folder=trust_list.mark_own, around_write=trust_list.own_write
    )
    return KnowledgeShelf(project if house.trusted else None, KnowledgeStore(places.user_knowledge, "user"))


def knowledge_files(house: House, shelf: KnowledgeShelf | None = None) -> KnowledgeFiles:
    """Both knowledge files and the inbox; what a folder that is not trusted proposes is not offered."""
    inbox = Inbox(house.places.data / INBOX_NAME, made_folder=house.trust_list.mark_own) if house.trusted else None
    return KnowledgeFiles(shelf or knowledge_of(house), inbox, house.settings.knowledge.accept_candidates)


def knowledge_policy(told: KnowledgeSettings) -> KnowledgePolicy:
    """How much knowledge is told, and what counts for how much."""
    lives, weights = told.half_life_days, told.type_weights
    return KnowledgePolicy(
        enabled=told.enabled,
        budget_tokens=told.injection_budget,
        half_life_days={kind: getattr(lives, kind) for kind in KNOWLEDGE_TYPES},
        type_weights={kind: getattr(weights, kind) for kind in KNOWLEDGE_TYPES},
    )

"""`diligent --demo`: a long prepared session in a scratch folder, and the guide through it."""

"""The app's parts that carry wishes from panes to whoever fulfils them, one module for each kind of wish."""

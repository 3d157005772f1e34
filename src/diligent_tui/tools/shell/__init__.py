"""Shell commands as far as they are plain: read strictly, and what is not plain is not understood."""

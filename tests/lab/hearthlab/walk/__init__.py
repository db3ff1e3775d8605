"""One walk through an installation by SSH, in a terminal and in the window, with its figures."""

"""Tables, plots and the HTML report. This package only reads records."""

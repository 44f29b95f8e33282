"""Tables, plots and the HTML report. Reads records, nothing else."""

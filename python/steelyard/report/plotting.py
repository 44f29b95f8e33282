"""Where the plotting code comes from; the build backend loads this file alone, before there is a package."""

# The Vega-Lite release the specifications in charts.py are written for.
VEGA_LITE = "6.4"

FILE = "plotting.js"
"""Name of the code among the data of a wheel."""


def plotting_code() -> str:
    """Return JavaScript that defines `vegaEmbed`, with Vega and Vega-Lite; it takes a second or two."""
    import vl_convert

    text: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    return text

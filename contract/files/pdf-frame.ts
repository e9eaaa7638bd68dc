/** The page that draws the sheets of a PDF for the desk, in a frame without an origin. */
export const pdfFramePath = '/desk/pdf-frame'

/** What PDFs name without bringing it: fonts, tables of characters, decoders. A folder for each version of their reader. */
export const pdfFrameData = '/assets/pdf-data/'

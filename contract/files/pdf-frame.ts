/** The page that renders PDF pages for the desk, in a frame without an origin. */
export const pdfFramePath = '/desk/pdf-frame'

/** Fonts, character maps and decoders that PDFs do not embed, in a folder per version of the PDF reader. */
export const pdfFrameData = '/assets/pdf-data/'

import { IconFileText, IconFileTypeDocx, IconFileTypePdf, IconFileTypeXls } from '@tabler/icons-react'

const sheets = { pdf: IconFileTypePdf, docx: IconFileTypeDocx, xlsx: IconFileTypeXls }

/** The kinds of paper that people send most have sheets of their own. */
export const sheetOf = (url: string) =>
  Object.entries(sheets).find(([ending]) => url.toLowerCase().endsWith(`.${ending}`))?.[1] ?? IconFileText

import { IconFileText, IconFileTypeDocx, IconFileTypePdf, IconFileTypeXls } from '@tabler/icons-react'

const sheets = { pdf: IconFileTypePdf, docx: IconFileTypeDocx, xlsx: IconFileTypeXls }

/** The most common document types have their own icons. */
export const fileIcon = (url: string) =>
  Object.entries(sheets).find(([ending]) => url.toLowerCase().endsWith(`.${ending}`))?.[1] ?? IconFileText

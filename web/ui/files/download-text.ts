import { saveBlob } from '../../api/save-blob.ts'

/** Saves a text as a file through the browser. */
export const downloadText = (text: string, name: string, type: string): void =>
  saveBlob(new Blob([text], { type }), name)

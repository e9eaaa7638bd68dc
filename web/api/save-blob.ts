/** Safari fetches the address after the click, once the person has agreed to the download. */
const addressKeptMs = 60_000

/** Saves bytes as a file through the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), addressKeptMs)
}

import { limits } from '@atrium/contract/limits.ts'

/** Twice the largest displayed size; a full-size photograph would otherwise be loaded with every sign-in screen. */
const sidePxMax = 512
const sizeBytesMax = limits.logoSizeKbMax * 1_000

/** As base64, scaled down to the limit. */
export async function fitPicture(file: File): Promise<string> {
  const picture = await createImageBitmap(file)
  const scale = Math.min(1, sidePxMax / Math.max(picture.width, picture.height))
  const isFit = scale === 1 && file.size <= sizeBytesMax
  const blob = isFit ? file : await draw(picture, scale)
  picture.close()
  return toBase64(new Uint8Array(await blob.arrayBuffer()))
}

async function draw(picture: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/png' })
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

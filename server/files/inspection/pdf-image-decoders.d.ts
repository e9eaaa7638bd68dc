/** The part of the API used here; the package has no types for it. */
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs' {
  export class JpegImage {
    width: number
    height: number
    parse(bytes: Uint8Array): void
    getData(asked: { width: number; height: number; forceRGB: boolean }): Uint8ClampedArray
  }
}

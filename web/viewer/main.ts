import { getDocument, type PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs'
// Runs on this frame's own thread: a document without an origin cannot start a worker from any URL.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { type FromFrame, pdfDataPath, sheetKeys, type ToFrame, type ViewerStart } from '../ui/files/pdf-labels.ts'
import { dataOver } from './data-over.ts'
import { openSheets } from './sheets.ts'

/** The limit of one picture: more would be a decompression bomb. */
const imagePixelsMax = 100_000_000

const main = document.querySelector('main')
// The document has no origin of its own; the parent page has the origin of this URL.
const home = new URL(location.href).origin

function begin({ source, origin, data, ports: [port] }: MessageEvent<ViewerStart>): void {
  if (source !== parent || source === window || origin !== home || !port || !main || data.kind !== 'show') return
  removeEventListener('message', begin)
  show(main, data, port).catch((error: unknown) => post(port, { kind: 'failed', why: reasonOf(error) }))
}
addEventListener('message', begin)

const post = (port: MessagePort, message: FromFrame) => port.postMessage(message)

const reasonOf = (error: unknown) =>
  error instanceof Error && error.name === 'PasswordException' ? 'locked' : ('broken' as const)

async function show(root: HTMLElement, start: ViewerStart, port: MessagePort): Promise<void> {
  const data = dataOver(port)
  const pdf = await open(start.bytes, data.Factory).promise
  const sheets = await openSheets(root, pdf, start, (page) => post(port, { kind: 'at', page }))
  root.tabIndex = 0 // Scrollable areas must be reachable by keyboard.
  wear(start.isDark)
  addEventListener('keydown', ({ key, ctrlKey, altKey, metaKey }) => {
    if (!ctrlKey && !altKey && !metaKey && sheetKeys.includes(key)) post(port, { kind: 'pressed', key })
  })
  port.addEventListener('message', ({ data: message }: MessageEvent<ToFrame>) => {
    if (message.kind === 'go') sheets.go(message.page)
    if (message.kind !== 'look') return
    wear(message.isDark)
    sheets.look(message.look)
  })
  post(port, { kind: 'opened', pages: pdf.numPages })
}

/** A frame is transparent only if its colour scheme equals the parent page's. */
function wear(isDark: boolean): void {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
}

function open(bytes: ArrayBuffer, Factory: object): PDFDocumentLoadingTask {
  return getDocument({
    data: new Uint8Array(bytes),
    // XFA forms can run scripts, and WebAssembly would be compiled from the file's content.
    enableXfa: false,
    useWasm: false,
    // Image decoders as plain scripts, and fonts for the browser; character maps come over the port, since the CSP blocks requests.
    wasmUrl: `${home}${pdfDataPath}wasm/`,
    standardFontDataUrl: `${home}${pdfDataPath}standard_fonts/`,
    cMapUrl: 'cmaps/',
    useWorkerFetch: false,
    BinaryDataFactory: Factory,
    disableWorkerRendering: true,
    maxImageSize: imagePixelsMax,
    verbosity: 0,
  })
}

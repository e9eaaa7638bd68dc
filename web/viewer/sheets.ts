import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Look, pagesMax, type ViewerStart } from '../ui/files/pdf-labels.ts'

/** The limit of one canvas; a larger page is rendered at a lower resolution. */
const pixelsMax = 16_000_000
/** The height limit in widths: a taller page is narrowed, since a file can claim any size. */
const heightsMax = 8

type Size = { width: number; height: number }
type Sheet = { box: HTMLElement; page: number; size: Size; isNear: boolean; drawing: RenderTask | null; turn: number }
type Sheets = { look: (look: Look) => void; go: (page: number) => void }

/** Lays out every page at the start; renders only pages near the viewport, and releases them when they leave it. */
export async function openSheets(
  root: HTMLElement,
  pdf: PDFDocumentProxy,
  { look: first, pageLabel, brokenLabel }: ViewerStart,
  onPage: (page: number) => void,
): Promise<Sheets> {
  const count = Math.min(pdf.numPages, pagesMax)
  const usual = sizeOf(await pdf.getPage(1))
  const sheets = Array.from({ length: count }, (_, index) => makeSheet(root, index + 1, usual))
  const said = (page: number) => pageLabel.replace('{page}', String(page)).replace('{pages}', String(pdf.numPages))
  let look = first
  let seen = 0

  const place = () => {
    const wide = root.clientWidth * look.scale
    for (const { box, size } of sheets) stretch(box, fit(size, look.turns, wide))
  }
  const draw = async (sheet: Sheet) => {
    sheet.drawing?.cancel()
    const turn = ++sheet.turn
    const isLeft = () => turn !== sheet.turn || !sheet.isNear
    const page = await pdf.getPage(sheet.page)
    if (isLeft()) return
    sheet.size = sizeOf(page)
    const size = fit(sheet.size, look.turns, root.clientWidth * look.scale)
    stretch(sheet.box, size)
    const canvas = makeCanvas(size, said(sheet.page))
    const rotation = turned(page.rotate, look.turns)
    const scale = canvas.width / page.getViewport({ scale: 1, rotation }).width
    sheet.drawing = page.render({ canvas, viewport: page.getViewport({ scale, rotation }) })
    await sheet.drawing.promise
    if (!isLeft()) sheet.box.replaceChildren(canvas)
  }
  const drawSafely = (sheet: Sheet) =>
    draw(sheet).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'RenderingCancelledException') return
      const message = document.createElement('p')
      message.textContent = brokenLabel
      sheet.box.replaceChildren(message)
    })
  const drawAll = () => {
    place()
    for (const sheet of sheets) if (sheet.isNear) drawSafely(sheet)
  }

  const reportPage = () => {
    const line = root.scrollTop + root.clientHeight / 3
    const at = sheets.findLast(({ box }) => box.offsetTop <= line)?.page ?? 1
    if (at !== seen) onPage(at)
    seen = at
  }
  /** Keeps the centre of the view in place when the pages are scaled or rotated. */
  const keepingPlace = (change: () => void) => {
    const before = sheets[seen - 1]
    const share = before ? (root.scrollTop - before.box.offsetTop) / before.box.offsetHeight : 0
    change()
    if (before) root.scrollTop = before.box.offsetTop + share * before.box.offsetHeight
    root.scrollLeft = (root.scrollWidth - root.clientWidth) / 2
  }

  place()
  reportPage()
  watchNear(root, sheets, drawSafely)
  root.addEventListener('scroll', reportPage, { passive: true })
  let wide = root.clientWidth
  new ResizeObserver(() => {
    if (root.clientWidth === wide) return
    wide = root.clientWidth
    keepingPlace(drawAll)
  }).observe(root)
  return {
    look: (wanted) => {
      if (wanted.scale === look.scale && wanted.turns === look.turns) return
      look = wanted
      keepingPlace(drawAll)
    },
    go: (page) => {
      const sheet = sheets[page - 1]
      if (sheet) root.scrollTop = sheet.box.offsetTop
    },
  }
}

function makeSheet(root: HTMLElement, page: number, size: Size): Sheet {
  const box = document.createElement('div')
  box.className = 'sheet'
  root.append(box)
  return { box, page, size, isNear: false, drawing: null, turn: 0 }
}

function stretch({ style }: HTMLElement, { width, height }: Size): void {
  style.width = `${width}px`
  style.height = `${height}px`
}

function makeCanvas({ width, height }: Size, label: string): HTMLCanvasElement {
  const density = Math.min(devicePixelRatio, Math.sqrt(pixelsMax / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(width * density))
  canvas.height = Math.max(1, Math.floor(height * density))
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', label)
  return canvas
}

/** Draws a sheet that comes near the viewport, and releases one that leaves it. */
function watchNear(root: HTMLElement, sheets: readonly Sheet[], draw: (sheet: Sheet) => void): void {
  const byBox = new Map<Element, Sheet>(sheets.map((sheet) => [sheet.box, sheet]))
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const sheet = byBox.get(target)
        if (!sheet || sheet.isNear === isIntersecting) continue
        sheet.isNear = isIntersecting
        if (isIntersecting) draw(sheet)
        else forget(sheet)
      }
    },
    { root, rootMargin: '60% 0px' },
  )
  for (const { box } of sheets) near.observe(box)
}

function forget(sheet: Sheet): void {
  sheet.drawing?.cancel()
  sheet.drawing = null
  sheet.box.replaceChildren()
}

function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: 1 })
  return { width, height }
}

const turned = (rotate: number, turns: number): number => (((rotate + turns * 90) % 360) + 360) % 360

/** The page scaled to the requested width, with its aspect ratio. */
function fit({ width, height }: Size, turns: number, wide: number): Size {
  const ratio = turns % 2 === 0 ? height / width : width / height
  const narrowed = Math.min(wide, (wide * heightsMax) / ratio)
  return { width: narrowed, height: narrowed * ratio }
}

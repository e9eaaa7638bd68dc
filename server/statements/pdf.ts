import type { Readable } from 'node:stream'
import { formatAmount } from '@atrium/contract/money/money.ts'
import PDFDocument from 'pdfkit'
import { contentOf, type FontName, splitByFont } from './script-fonts.ts'
import type { Statement } from './statement.ts'

type Doc = InstanceType<typeof PDFDocument>

const page = { margin: 48, width: 595.28, height: 841.89 }
const inner = page.width - 2 * page.margin
const bottom = page.height - 72
const ink = { text: '#16191d', soft: '#5b6470', line: '#d9dde2' }
const rowHeight = 18

type Column = { name: string; x: number; width: number; align: 'left' | 'right' }
const columns: Column[] = [
  { name: 'Date', x: 0, width: 104, align: 'left' },
  { name: 'Booking', x: 110, width: 140, align: 'left' },
  { name: 'Reference', x: 256, width: 83, align: 'left' },
  { name: 'Amount', x: 339, width: 76, align: 'right' },
  { name: 'Balance', x: 419, width: inner - 419, align: 'right' },
]

/** Draws a statement as PDF. It is complete before it is sent, because page numbers need the total. */
export function drawStatement(statement: Statement): Readable {
  const doc = new PDFDocument({
    size: 'A4',
    margin: page.margin,
    bufferPages: true,
    lang: 'en',
    info: {
      Title: `Account statement ${statement.account.login} ${statement.month}`,
      Author: statement.brand.name,
      CreationDate: statement.writtenAt,
    },
  })
  drawHead(doc, statement)
  drawSums(doc, statement)
  drawDifference(doc, statement)
  drawLines(doc, statement)
  drawFeet(doc, statement)
  doc.end()
  return doc
}

type Place = {
  x: number
  y: number
  width: number
  size?: number
  isBold?: boolean
  align?: 'left' | 'right'
  colour?: string
  /** Written smaller where it is too wide: an amount without its last digits is another amount. */
  isWhole?: boolean
}

type Style = Pick<Place, 'size' | 'isBold'>

function choose(doc: Doc, font: FontName, size: number): Doc {
  return doc.registerFont(font, contentOf(font)).font(font).fontSize(size)
}

const widthOf = (doc: Doc, text: string, { size = 9, isBold = false }: Style): number =>
  splitByFont(text, isBold ? 'bold' : 'body').reduce(
    (sum, run) => sum + choose(doc, run.font, size).widthOfString(run.text),
    0,
  )

/** Writes one line of text, truncated to its width, in as many fonts as its letters need. */
function write(doc: Doc, text: string, place: Place): void {
  const { x, y, width, isBold = false, align = 'left', colour = ink.text, isWhole = false } = place
  let { size = 9 } = place
  const wanted = widthOf(doc, text, { size, isBold })
  // A little less than the share, since the widths are rounded.
  if (isWhole && wanted > width) size *= (width / wanted) * 0.99
  let left = width
  const shown: { font: FontName; text: string; width: number }[] = []
  for (const run of splitByFont(text, isBold ? 'bold' : 'body')) {
    const widthOfRun = (of: string) => choose(doc, run.font, size).widthOfString(of)
    let fitting = run.text
    while (fitting !== '' && widthOfRun(fitting) > left) fitting = [...fitting].slice(0, -1).join('')
    const taken = widthOfRun(fitting)
    left -= taken
    if (fitting !== '') shown.push({ font: run.font, text: fitting, width: taken })
    if (fitting !== run.text) break
  }
  let at = align === 'right' ? x + left : x
  for (const run of shown) {
    choose(doc, run.font, size).fillColor(colour).text(run.text, at, y, { lineBreak: false })
    at += run.width
  }
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })
const lettersOf = (word: string): string[] => [...letters.segment(word)].map(({ segment }) => segment)

/** Breaks a text between words; a word that is wider than a line, as in scripts without blanks, between letters. */
function linesOf(doc: Doc, text: string, { width, ...style }: Style & { width: number }): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const parts = widthOf(doc, word, style) > width ? lettersOf(word) : [word]
    for (const [index, part] of parts.entries()) {
      const line = lines.at(-1) ?? ''
      const longer = `${line}${line !== '' && index === 0 ? ' ' : ''}${part}`
      if (line !== '' && widthOf(doc, longer, style) > width) lines.push(part)
      else lines[lines.length - 1] = longer
    }
  }
  return lines
}

/** Writes a text whole, on as many lines as it needs, and returns where it ends. */
function writeWhole(doc: Doc, text: string, { lineHeight, ...place }: Place & { lineHeight: number }): number {
  const lines = linesOf(doc, text, place)
  lines.forEach((line, index) => {
    write(doc, line, { ...place, y: place.y + index * lineHeight })
  })
  return place.y + lines.length * lineHeight
}

const dayOf = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, day: '2-digit', month: 'short', year: 'numeric' }).format(at)
const momentOf = (at: Date, timeZone: string) =>
  `${dayOf(at, timeZone)}, ${new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)}`

/** Brokerage, holder, account and period. */
function drawHead(doc: Doc, { brand, holder, account, period, timeZone, until }: Statement): void {
  doc.rect(0, 0, page.width, 6).fill(brand.accent)
  const head = { x: page.margin, width: inner, isBold: true }
  const below = writeWhole(doc, brand.name, { ...head, y: 40, size: 14, lineHeight: 18 })
  write(doc, 'Account statement', { ...head, y: below + 20, size: 20 })
  const last = new Date(period.to.getTime() - 1)
  const facts: [name: string, value: string][] = [
    // Alone: beside Latin letters the words of a right-to-left name would stand in the wrong order.
    ['Account holder', holder.name],
    ['Customer number', holder.number],
    ['Account', `#${account.login} \u00b7 ${account.platform} \u00b7 ${account.isLive ? 'Live' : 'Demo'}`],
    ['Currency', account.currency],
    ['Period', `${dayOf(period.from, timeZone)} \u2013 ${dayOf(last, timeZone)}`],
    ['Time zone', timeZone],
    ...(until === null ? [] : [['As of', momentOf(until, timeZone)] as [string, string]]),
  ]
  let y = below + 56
  for (const [name, value] of facts) {
    write(doc, name, { x: page.margin, y, width: 96, colour: ink.soft })
    y = writeWhole(doc, value, { x: page.margin + 100, y, width: inner - 100, lineHeight: 15 })
  }
  doc.y = y + 14
}

const signed = (amount: string, currency: string) => formatAmount(amount, currency, 'en')

/** The sum from opening to closing balance, which the lines below explain. */
function drawSums(doc: Doc, { opening, paidIn, paidOut, traded, closing, account: { currency } }: Statement): void {
  const sums: [name: string, amount: string][] = [
    ['Opening balance', opening],
    ['Paid in', paidIn],
    ['Paid out', paidOut],
    ['Trading result', traded],
    ['Closing balance', closing],
  ]
  const width = inner / sums.length
  const y = doc.y
  doc.roundedRect(page.margin, y, inner, 46, 6).strokeColor(ink.line).lineWidth(0.75).stroke()
  sums.forEach(([name, amount], index) => {
    const x = page.margin + index * width + 10
    const isEnd = index === 0 || index === sums.length - 1
    write(doc, name, { x, y: y + 9, width: width - 14, size: 8, colour: ink.soft })
    write(doc, signed(amount, currency), { x, y: y + 23, width: width - 14, size: 10, isBold: isEnd, isWhole: true })
  })
  doc.y = y + 66
}

/** Reports a difference from the platform, so that the member can ask about it. */
function drawDifference(doc: Doc, { differs, timeZone, account: { currency } }: Statement): void {
  if (differs === null) return
  const [shown, adds] = [signed(differs.balance, currency), signed(differs.ledger, currency)]
  const lines = [
    'This statement differs from the trading platform.',
    `On ${momentOf(differs.at, timeZone)} the platform showed a balance of ${shown}, and its operations add up to ${adds}.`,
    'Please contact your brokerage and quote this account.',
  ]
  lines.forEach((line, index) => {
    write(doc, line, { x: page.margin, y: doc.y, width: inner, isBold: index === 0, isWhole: true })
    doc.y += 13
  })
  doc.y += 10
}

function drawTop(doc: Doc, currency: string): void {
  const y = doc.y
  for (const { name, x, width, align } of columns) {
    const money = name === 'Amount' || name === 'Balance'
    const shown = money ? `${name} (${currency})` : name
    write(doc, shown, { x: page.margin + x, y, width, size: 8, isBold: true, align, colour: ink.soft })
  }
  hairline(doc, y + 13)
  doc.y = y + 19
}

function hairline(doc: Doc, y: number): void {
  doc
    .moveTo(page.margin, y)
    .lineTo(page.width - page.margin, y)
    .strokeColor(ink.line)
    .lineWidth(0.5)
    .stroke()
}

function drawLines(doc: Doc, { lines, account: { currency }, opening, closing, period, timeZone }: Statement): void {
  const last = new Date(period.to.getTime() - 1)
  const rows = [
    [dayOf(period.from, timeZone), 'Opening balance', '', '', signed(opening, currency)],
    ...lines.map(({ at, what, reference, amount, balance }) => [
      what === 'Further operations' ? '' : momentOf(at, timeZone),
      what,
      reference ?? '',
      signed(amount, currency),
      signed(balance, currency),
    ]),
    [dayOf(last, timeZone), 'Closing balance', '', '', signed(closing, currency)],
  ]
  drawTop(doc, currency)
  rows.forEach((row, index) => {
    if (doc.y + rowHeight > bottom) {
      doc.addPage()
      doc.y = page.margin
      drawTop(doc, currency)
    }
    const y = doc.y
    const isBold = index === 0 || index === rows.length - 1
    columns.forEach(({ x, width, align }, place) => {
      write(doc, row[place] ?? '', { x: page.margin + x, y, width, isBold, align, isWhole: true })
    })
    hairline(doc, y + 13)
    doc.y = y + rowHeight
  })
}

function drawFeet(doc: Doc, { brand, writtenAt, timeZone }: Statement): void {
  const { count } = doc.bufferedPageRange()
  for (let number = 0; number < count; number++) {
    doc.switchToPage(number)
    // Text below the margin would start another page.
    doc.page.margins.bottom = 0
    const y = page.height - 44
    const place = { y, size: 8, colour: ink.soft }
    write(doc, `${brand.name} \u00b7 written ${momentOf(writtenAt, timeZone)}`, {
      ...place,
      x: page.margin,
      width: inner - 120,
      isWhole: true,
    })
    write(doc, `Page ${number + 1} of ${count}`, {
      ...place,
      x: page.width - page.margin - 110,
      width: 110,
      align: 'right',
    })
  }
}

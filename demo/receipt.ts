/** A bank's transfer receipt as a one-page PDF, written without a library. */
export const makeReceipt = (lines: string[]): Buffer => makeSheets([lines])

/** A scan: one picture that fills the page. */
export function makeScan(jpeg: Buffer, { width, height }: { width: number; height: number }): Buffer {
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /I1 5 0 R >> >> >>`
  const drawing = `${width} 0 0 ${height} 0 0 cm /I1 Do`
  const picture = `/Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`
  return makeFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page,
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    `<< /Type /XObject /Subtype /Image ${picture} /Length ${jpeg.length} >>\nstream\n${jpeg.toString('latin1')}\nendstream`,
  ])
}

/** Several pages of text; `trailerWords` is added to the PDF trailer, for its metadata. */
export function makeSheets(pages: string[][], trailerWords = ''): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, index) => makeSheet(lines, 5 + index * 2)),
  ]
  return makeFile(objects, trailerWords)
}

function makeFile(objects: string[], trailerWords = ''): Buffer {
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${trailerWords}>>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}

function makeSheet(lines: string[], contents: number): string[] {
  const text = lines.map((line, index) => {
    const size = index === 0 ? 18 : 11
    return `BT /F1 ${size} Tf 60 ${760 - index * 26} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`
  })
  const stream = text.join('\n')
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ]
}

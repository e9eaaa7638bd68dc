import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** A built web as small as one can be: a page, and the files below `assets` that are given; `packed` ones as the build packs them. */
export function makeWebBuild(
  folder: string,
  {
    plain = {},
    packed = {},
    frame = '',
  }: { plain?: Record<string, string>; packed?: Record<string, string>; frame?: string },
): string {
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  write('portal/index.html', '<!doctype html><html><head></head></html>')
  write('viewer/index.html', frame)
  for (const [name, content] of Object.entries({ ...plain, ...packed })) write(`assets/${name}`, content)
  for (const [name, content] of Object.entries(packed)) write(`assets/${name}.br`, brotliCompressSync(content))
  return folder
}

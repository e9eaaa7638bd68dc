import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))
const hashedNames = /-([0-9a-f]{8})(\.(?:js|css|svg|woff2))/g

/** The built web with a different hash in every file name, like a version in which every file changed. */
export function copyAsAnotherBuild(folder: string): string {
  cpSync(built, folder, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) })
  const other = (text: string): string =>
    text.replace(hashedNames, (_, hash: string, ending: string) => `-${[...hash].reverse().join('')}${ending}`)
  for (const page of [
    'portal/index.html',
    'portal/sign-in.html',
    'desk/index.html',
    'viewer/index.html',
    'viewer/form.html',
  ])
    writeFileSync(join(folder, page), other(readFileSync(join(folder, page), 'utf8')))
  const assets = join(folder, 'assets')
  for (const name of readdirSync(assets).filter((each) => each !== other(each))) {
    const path = join(assets, name)
    const isText = /\.(js|css)$/.test(name)
    writeFileSync(join(assets, other(name)), isText ? other(readFileSync(path, 'utf8')) : readFileSync(path))
    rmSync(path)
  }
  return folder
}

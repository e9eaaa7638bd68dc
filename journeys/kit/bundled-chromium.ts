import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** A folder with the program, its graphics, fonts and the system libraries that a minimal machine lacks. */
export type BundledChromium = { program: string; libraries: string; fonts: string }

const entry = import.meta.resolve('@sparticuz/chromium')

/**
 * Unpacks once per version, next to the package. The package itself unpacks to a fixed shared temporary folder and runs
 * whatever it finds there, including another user's file or a half-written one.
 */
export async function unpackChromium(cache = defaultCache()): Promise<BundledChromium> {
  const folder = join(cache, `chromium-${packageVersion()}`)
  if (!existsSync(folder)) await unpackTo(folder)
  return { program: join(folder, 'chromium'), libraries: join(folder, 'al2023', 'lib'), fonts: join(folder, 'fonts') }
}

function packageRoot() {
  return dirname(dirname(new URL(entry).pathname))
}

function packageVersion() {
  const manifest = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  return manifest.version
}

function defaultCache() {
  return join(dirname(dirname(packageRoot())), '.cache')
}

async function unpackTo(folder: string) {
  const unfinished = makeBeside(folder)
  try {
    await inflateInto(unfinished)
    // The package's configuration names a fixed folder; a relative path lets it move.
    writeFileSync(join(unfinished, 'fonts', 'fonts.conf'), fontsConfiguration)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // Otherwise another process finished first, and its folder is equivalent.
  }
}

function makeBeside(folder: string) {
  mkdirSync(dirname(folder), { recursive: true })
  return mkdtempSync(`${folder}.`)
}

const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Runs in a separate process, because the package unpacks to the temporary folder, which must be ours alone. */
async function inflateInto(folder: string) {
  const archives = ['chromium.br', 'swiftshader.tar.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) =>
    join(packageRoot(), 'bin', name),
  )
  const source = `
    import { inflate } from ${JSON.stringify(entry)}
    await Promise.all(${JSON.stringify(archives)}.map((archive) => inflate(archive)))`
  const env = { ...process.env, TMPDIR: folder }
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], { env })
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import postcssPresetMantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin, type UserConfig } from 'vite'
import { pdfFrameData } from '../contract/files/pdf-frame.ts'
import { callSchemas } from './call-schemas.ts'
import { pageHtml } from './page-html.ts'
import { fewPalettes } from './palettes.ts'
import { planSharedFiles } from './shared-files.ts'
import { fewTransitions } from './transitions.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const printed = /export const (\w+)Document = new TypedDocumentString\(`([^`]*)`/g

/** Generates one module per query: the generated map of all documents would be bundled with any one of them. */
const documents: Plugin = {
  name: 'atrium-documents',
  apply: 'build',
  transform: {
    filter: { id: /\.queries\.ts$/ },
    handler(code) {
      const texts = new Map(
        [...readFileSync(here('api/generated/graphql.ts'), 'utf8').matchAll(printed)].map(([, name, text]) => [
          name,
          text,
        ]),
      )
      const own = code
        .replace(/^import \{ graphql \} from .*$/m, '')
        .replace(/graphql\(\s*`\s*(?:query|fragment) (\w+)[^`]*`,?\s*\)/g, (_, name: string) =>
          JSON.stringify((texts.get(name) ?? '').replace(/\s+/g, ' ').trim()),
        )
      if (/graphql\(/.test(own)) throw new Error('A query does not have the form that this replaces.')
      return { code: own, map: null }
    },
  },
}

/** Removes zod's JSON Schema generator, a fifth of zod, which the apps do not use. */
const noJsonSchema: Plugin = {
  name: 'atrium-no-json-schema',
  apply: 'build',
  load: {
    filter: { id: /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ },
    handler(id) {
      const names = [...readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      return `const nothing = () => nothing\n${names.map((name) => `export const ${name} = nothing`).join('\n')}`
    },
  },
}

/** Compresses files at build time instead of per request. Below a kilobyte, compression gains nothing. */
const packed: Plugin = {
  name: 'atrium-packed',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      const content = Buffer.from(file.type === 'chunk' ? file.code : file.source)
      if (!/\.(js|css|svg)$/.test(name) || content.length < 1_024) continue
      const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
      writeFileSync(join(dir ?? here('dist'), `${name}.br`), brotliCompressSync(content, { params: quality }))
      writeFileSync(join(dir ?? here('dist'), `${name}.gz`), gzipSync(content, { level: 9 }))
    }
  },
}

const pdfjs = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')

/** Copies character maps, fonts and decoders that PDFs name without embedding beside the build; loaded on demand. */
const pdfData: Plugin = {
  name: 'atrium-pdf-data',
  apply: 'build',
  generateBundle() {
    const { version } = JSON.parse(readFileSync(pdfjs, 'utf8')) as { version: string }
    const needed = { cmaps: /./, standard_fonts: /./, wasm: /_nowasm_fallback\.js$|^LICENSE_.*(JBIG2|OPENJPEG)$/ }
    for (const [folder, names] of Object.entries(needed)) {
      const from = join(dirname(pdfjs), folder)
      for (const name of readdirSync(from).filter((each) => names.test(each))) {
        const fileName = `${pdfFrameData.slice(1)}${version}/${folder}/${name}`
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(from, name)) })
      }
    }
  },
}

const config = {
  root: here('.'),
  appType: 'mpa',
  publicDir: false,
  // The server inserts the CSP nonce of each response; there are no inline scripts.
  html: { cspNonce: '__CSP_NONCE__' },
  css: {
    postcss: { plugins: [postcssPresetMantine()] },
    // Omits the readable part of class names, which would be in both the styles and the scripts.
    modules: { generateScopedName: '_[hash:base64:6]' },
  },
  resolve: {
    alias: [
      { find: 'react-i18n', replacement: here('ui/text/use-translation.ts') },
      // A shim for a hook that is part of React since version 18.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2023',
    // A data: URL would need an exception in the content security policy, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // HTML names all its scripts: the server opens those of the PDF frame by name. A script that lists the files of every
      // dialog carries their names in the first load, so scripts list those of screens only.
      resolveDependencies: (file, files, { hostType }) =>
        hostType === 'html' || /-page-[^/]*$/.test(file) ? files : [],
    },
    // scripts/checks/first-load.ts uses it to measure what each screen loads.
    manifest: true,
    rolldownOptions: {
      input: {
        portal: here('portal/index.html'),
        'sign-in': here('portal/sign-in.html'),
        desk: here('desk/index.html'),
        // Framed pages: PDF pages, and a form alone.
        viewer: here('viewer/index.html'),
        form: here('viewer/form.html'),
      },
      // The first page names every other file, and hashes do not compress: in base 16 each costs a third less.
      output: { hashCharacters: 'hex' },
    },
  },
} satisfies UserConfig

/** The assignment of modules to files, planned by a separate build. */
const sharedFiles: Plugin = {
  name: 'atrium-shared-files',
  apply: 'build',
  async config() {
    const name = await planSharedFiles({
      ...config,
      plugins: [documents, callSchemas, noJsonSchema, fewPalettes, fewTransitions, react()],
    })
    const codeSplitting = { groups: [{ name, includeDependenciesRecursively: false }] }
    return { build: { rolldownOptions: { output: { codeSplitting } } } }
  },
}

export default defineConfig({
  ...config,
  plugins: [
    documents,
    callSchemas,
    noJsonSchema,
    fewPalettes,
    fewTransitions,
    react(),
    sharedFiles,
    ...pageHtml,
    pdfData,
    packed,
  ],
})

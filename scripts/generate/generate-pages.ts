import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../server/admin/commands.ts'
import { environment, secretVariables } from '../../server/environment.ts'
import { drawCoverage } from '../spec-coverage.ts'
import { drawArchitecture } from './architecture-drawing.ts'

/** Pages that are generated from the code, so that they stay current. */
export const pages: Record<string, (root: string) => string> = {
  '.env.example': drawExample,
  'docs/operators/configuration.md': drawConfiguration,
  'docs/operators/admin-commands.md': drawCommands,
  'docs/developers/architecture.svg': drawArchitecture,
  'docs/spec-coverage.md': drawCoverage,
}

type Variable = { name: string; summary: string; default: string; example: string; section: string }

/** Reads the comments of `environment` with their tags; a tag on a variable begins a new section. */
export function readVariables(root: string): Variable[] {
  const source = readFileSync(join(root, 'server/environment.ts'), 'utf8')
  const body = /^export const environment = z\.object\(\{\n(.*?)^\}\)/ms.exec(source)?.[1] ?? ''
  let section = ''
  return [...body.matchAll(/^ {2}\/\*\*(.*?)\*\/\n {2}([A-Z][A-Z0-9_]+):/gms)].map(([, comment = '', name = '']) => {
    const lines = comment.split('\n').map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    const tag = (word: string) =>
      lines
        .find((line) => new RegExp(`^@${word}\\b`).test(line))
        ?.slice(word.length + 1)
        .trim()
    section = tag('section') ?? section
    const summary = lines
      .filter((line) => !line.startsWith('@'))
      .join(' ')
      .trim()
    const value = defaultOf(name)
    return {
      name,
      summary,
      section,
      default: tag('default') ?? (value === '' ? 'none' : `\`${value}\``),
      example: tag('example') ?? value,
    }
  })
}

function defaultOf(name: string): string {
  const shape: Record<string, { safeParse(value: unknown): { data?: unknown } }> = environment.shape
  return String(shape[name]?.safeParse(undefined).data ?? '')
}

const bySection = (root: string) => Map.groupBy(readVariables(root), ({ section }) => section)

function drawConfiguration(root: string): string {
  const sections = [...bySection(root)].map(([title, variables]) => {
    const rows = variables.map((each) => `| \`${each.name}\` | ${each.default} | ${each.summary} |`)
    return `## ${title}\n\n| Variable | Default | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  })
  const secrets = secretVariables.map((name) => `\`${name}\``).join(', ')
  return `# Configuration

<!-- Printed from server/environment.ts by npm run generate. -->

Atrium is configured by environment variables; a fresh start needs none. [\`.env.example\`](../../.env.example) lists them all to copy.
What a brokerage chooses for itself (brand, features, platforms) is in the database and is set at the desk.

Secrets can be read from files instead: \`ATRIUM_SECRET_KEY_FILE=/run/secrets/atrium-key\`. This works for ${secrets}.

A likely misspelling of a variable (\`DATABSE_URL_FILE\`) is logged, and production does not start with one. Nor does it start if a secret's file is missing,
if a key is missing or easy to guess, without a database, or with a database that contains sign-ins or active simulators of the demo.

${sections.join('\n')}`
}

function drawExample(root: string): string {
  const sections = [...bySection(root)].map(([title, variables]) => {
    const lines = variables.map(
      ({ name, summary, example }) => `${wrap(withoutMarkup(summary))}\n# ${name}=${example}\n`,
    )
    return `# == ${title} ==\n\n${lines.join('\n')}`
  })
  return `# Printed from server/environment.ts by npm run generate: every variable, with its default or an example. A fresh clone needs none.
# Atrium does not read this file. Copy it to .env and load it yourself, for example
#   set -a; . ./.env; set +a; npm start
# or pass it to systemd (EnvironmentFile=) or a container (--env-file).

${sections.join('\n')}`
}

const withoutMarkup = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')

function wrap(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length >= 120) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

function drawCommands(): string {
  const topics = Map.groupBy(commands, ({ words }) => words.split(' ')[0] ?? '')
  const sections = [...topics].map(([topic, of]) => {
    const each = of.map(({ words, takes, summary, more }) => {
      const call = `### ${words}\n\n\`\`\`sh\nnpm run admin -- ${words} ${takes}`.trimEnd()
      return `${call}\n\`\`\`\n\n${sentence(summary)}${more ? `\n\n\`\`\`text\n${more}\n\`\`\`` : ''}\n`
    })
    return `## ${topic}\n\n${each.join('\n')}`
  })
  return `# Admin commands

<!-- Printed from server/admin by npm run generate. -->

\`npm run admin -- TOPIC COMMAND\` needs the server's environment: on servers see [how commands are run there](../../deploy/README.md#commands).
Without \`DATABASE_URL\` it uses the database that a server created in \`ATRIUM_DATA\`, and fails if there is none.
For scripts: \`npm run --silent admin -- workspace list --json\` prints only the answer to standard output, and logs to standard error.

| Exit code | Meaning |
| --- | --- |
| 0 | Done |
| 1 | Failed |
| 2 | Wrong usage |
| 3 | Done, and a check found a problem; \`--json\` has it under \`found\` |

${sections.join('\n')}`
}

/** Converts a sentence of the command line into one of a page. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replaceAll('<', '\\<').replace(/\.?$/, '.')

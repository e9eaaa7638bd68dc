/** One Dockerfile instruction: `COPY --from=web a b` has the word COPY, its flags and the unparsed rest. */
export type ImageStep = { word: string; flags: Record<string, string>; rest: string }
export type ImageStage = { name: string | null; base: string; steps: ImageStep[] }

/** Parses the Dockerfile features that ours uses: stages, flags, continuation lines, comments. */
export function readStages(text: string): ImageStage[] {
  const stages: ImageStage[] = []
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
  for (const line of lines.map((each) => each.trim()).filter(Boolean)) {
    const [, word = '', behind = ''] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? []
    if (word === 'FROM') {
      const [, base = '', name = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(behind) ?? []
      stages.push({ name, base, steps: [] })
      continue
    }
    const flags = [...behind.matchAll(/(?<=^|\s)--([a-z-]+)=(\S+)(?=\s)/g)].filter(() => word !== 'RUN')
    const rest = flags.reduce((left, [flag]) => left.replace(flag, ''), behind).trim()
    const named = Object.fromEntries(flags.map(([, name, value]) => [name ?? '', value ?? '']))
    const stage = stages.at(-1)
    if (!stage || word === '') throw new Error(`This line belongs to no stage: ${line}`)
    stage.steps.push({ word, flags: named, rest })
  }
  return stages
}

/** Parses the exec form `["node", "main.ts"]` or the shell form of CMD and HEALTHCHECK. */
export function readCommand(rest: string): [string, ...string[]] {
  if (!rest.startsWith('[')) return ['sh', '-c', rest]
  const [program, ...parts] = JSON.parse(rest) as string[]
  if (program === undefined) throw new Error('A command without a program')
  return [program, ...parts]
}

/** Parses `A=1 B=two` of ENV, with optional quotes around a value. */
export function readVariables(rest: string): Record<string, string> {
  const pairs = rest.matchAll(/([A-Z0-9_]+)=("[^"]*"|\S+)/g)
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value.replace(/^"|"$/g, '')]))
}

import { launch, launchBin, main } from './launch.js'
import { SetUpProblem, setUp } from './setup.js'

const usage =
  'Usage: node scripts/run.js [--build] file.ts [arguments]\n       node scripts/run.js --bin name [arguments]'

await main(async (args) => {
  const build = args[0] === '--build'
  const [first, ...rest] = build ? args.slice(1) : args
  const isBin = first === '--bin'
  if (!first || (isBin ? rest.length === 0 : first.startsWith('-'))) throw new SetUpProblem(usage)
  await setUp({ build, print: console.error }) // To stderr, to keep the command's output clean.
  return isBin ? launchBin(rest[0], rest.slice(1)) : launch([first, ...rest], { interactive: true })
})

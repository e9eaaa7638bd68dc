import { dirname } from 'node:path'
import { buildWeb } from './release-pack.ts'
import { checkRelease, makeRelease, packAgain, type Release, rehearseRelease } from './release-steps.ts'
import { ReleaseProblem } from './release-texts.ts'

const usage = `Usage: npm run release -- 1.4.0             changelog, versions, a commit, a tag, and the files of the release
       npm run release -- 1.4.0 --dry-run   shows what it would do, and changes nothing
       npm run release -- --pack            builds the files of the checked-out tag again
       npm run release -- --check           compares the files in release/ with a build of the checked-out tag`

const release: Release = {
  root: dirname(dirname(import.meta.dirname)),
  print: (line) => console.log(`  ${line}`),
  build: buildWeb,
  day: new Date().toISOString().slice(0, 10),
}

try {
  carryOut(process.argv.slice(2))
} catch (problem) {
  if (!(problem instanceof ReleaseProblem)) throw problem
  console.error(problem.message)
  process.exitCode = 1
}

function carryOut(args: string[]): void {
  const [first = '', second] = args
  const isAlone = args.length === 1
  if (isAlone && first === '--pack') packAgain(release)
  else if (isAlone && first === '--check') checkRelease(release)
  else if (isAlone && !first.startsWith('-')) makeRelease(release, first)
  else if (args.length === 2 && second === '--dry-run') rehearseRelease(release, first)
  else throw new ReleaseProblem(usage)
}

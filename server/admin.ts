import { answerCommand } from './admin/answer.ts'

process.exitCode = await answerCommand(process.argv.slice(2), {
  env: process.env,
  out: (line) => console.log(line),
  err: (line) => console.error(line),
})

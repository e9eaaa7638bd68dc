import { fewHostileStrings, hostileStrings } from './hostile-strings.ts'
import { walkKeptTexts } from './kept-string-walk.ts'
import { numberOf } from './sample.ts'

/**
 * Each field with the most hostile strings and every 24th of the others, which rotate by day: a pair takes 45 ms of a core,
 * all of them together an hour.
 */
const parts = 24

let fields = 0
walkKeptTexts(() => {
  fields += 1
  const part = (numberOf('kept') + fields) % parts
  return [...fewHostileStrings, ...hostileStrings.filter((_, index) => index % parts === part)]
})

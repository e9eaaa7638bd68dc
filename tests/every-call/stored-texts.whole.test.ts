import { fewHostileStrings, hostileStrings } from './hostile-strings.ts'
import { numberOf } from './sample.ts'
import { walkStoredTexts } from './stored-text-walk.ts'

/**
 * Each field with the most hostile strings and every 24th of the others, which rotate by day: a pair takes 45 ms of a core,
 * all of them together an hour.
 */
const parts = 24

let fields = 0
walkStoredTexts(() => {
  fields += 1
  const part = (numberOf('stored') + fields) % parts
  return [...fewHostileStrings, ...hostileStrings.filter((_, index) => index % parts === part)]
})

import { fewHostileStrings, hostileStrings } from './hostile-strings.ts'
import { walkKeptTexts } from './kept-string-walk.ts'
import { numberOf } from './sample.ts'

/** Each field with every sixth string, and each string in every sixth field: all pairs at once take half an hour. */
const parts = 6

let fields = 0
walkKeptTexts(() => {
  fields += 1
  const part = (numberOf('kept') + fields) % parts
  return [...fewHostileStrings, ...hostileStrings.filter((_, index) => index % parts === part)]
})

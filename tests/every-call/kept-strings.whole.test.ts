import { hostileStrings } from './hostile-strings.ts'
import { walkKeptTexts } from './kept-string-walk.ts'

walkKeptTexts(() => hostileStrings)

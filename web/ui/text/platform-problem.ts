import { type ComponentType, createElement, useState } from 'react'
import { usePart } from '../lazy/use-part.ts'
import type { ProblemProps } from './platform-problem-sentence.ts'

/** Needed on many pages, and rarely: shared among them, the sentences made each first screen heavier. */
const sentence = async () => {
  loaded = (await import('./platform-problem-sentence.ts')).PlatformProblemSentence
  return loaded
}
/** Once it has loaded, later problems have their sentence at once. */
let loaded: ComponentType<ProblemProps> | undefined

/** A reason of the code, such as `amount_limit (10024)`; any other text is a sentence already. */
const isReason = (problem: string) => /^[a-z_]+(?: \(\d+\))?$/.test(problem)

/** A stored problem of a trading platform for staff, wherever it appears: never a word of the code. */
export function PlatformProblem({ problem, show }: ProblemProps) {
  const [isMissing, setMissing] = useState(false)
  const [known] = useState(() => loaded)
  const isAsked = isReason(problem)
  const found = usePart(sentence, { isAsked: isAsked && !known, onMissing: () => setMissing(true) })
  const Sentence = known ?? found
  if (!isAsked) return show({ text: problem, code: null })
  if (isMissing) return show({ text: problem.replaceAll('_', ' '), code: null })
  return Sentence ? createElement(Sentence, { problem, show }) : null
}

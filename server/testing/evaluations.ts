import { evaluations } from '../sessions/password.ts'

/** Counts the passwords that this process looks at, whatever it answers. */
export function countEvaluations(onEach: () => void): () => void {
  evaluations.subscribe(onEach)
  return () => void evaluations.unsubscribe(onEach)
}

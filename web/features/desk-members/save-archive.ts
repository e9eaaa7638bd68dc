import { ApiError } from '../../api/api-error.ts'
import { openProof } from '../../api/proof.ts'
import { saveAnswer } from '../../api/save-table.ts'

/** Saves a file that needs a fresh proof: a call that asks for one was not executed, so it is repeated after the proof. */
export async function saveArchive(path: string, name: string): Promise<void> {
  const asked = { path, method: 'POST', name } as const
  try {
    await saveAnswer(asked)
  } catch (error) {
    const isUnproven = error instanceof ApiError && error.code === 'proof_required'
    if (!isUnproven || !(await openProof())) throw error
    await saveAnswer(asked)
  }
}

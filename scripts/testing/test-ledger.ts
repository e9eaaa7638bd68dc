import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Test files that passed, with their inputs: unchanged ones need not run again. */
export type Ledger = {
  /** The number of tests that passed with these inputs; null without such a run. */
  provenBefore(file: string, digest: string): number | null
  /** A failed file is removed, so that it runs again with any inputs. */
  record(file: string, proof: Proof | null): void
}

type Proof = { digest: string; passed: number }

const place = ['node_modules', '.cache', 'atrium-tests', 'proven.json']

export function openLedger(root: string): Ledger {
  const path = join(root, ...place)
  const proofs = read(path)
  return {
    provenBefore(file, digest) {
      const proof = proofs[file]
      return proof?.digest === digest ? proof.passed : null
    },
    record(file, proof) {
      if (proof) proofs[file] = proof
      else delete proofs[file]
      mkdirSync(dirname(path), { recursive: true })
      // Written atomically: a run can end at any moment.
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(proofs))
      renameSync(`${path}.${process.pid}`, path)
    },
  }
}

function read(path: string): Record<string, Proof> {
  try {
    const ledger: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof ledger !== 'object' || ledger === null) return {}
    return Object.fromEntries(Object.entries(ledger).filter((entry): entry is [string, Proof] => isProof(entry[1])))
  } catch {
    return {} // Missing or truncated: no proofs.
  }
}

const isProof = (value: unknown): value is Proof =>
  typeof value === 'object' &&
  value !== null &&
  'digest' in value &&
  typeof value.digest === 'string' &&
  'passed' in value &&
  typeof value.passed === 'number' &&
  value.passed > 0

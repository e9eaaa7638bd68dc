import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Which files were green, with which inputs: what has not changed since need not be shown again. */
export type Ledger = {
  /** How many tests of the file passed with these very inputs; null when that was not seen. */
  provenBefore(file: string, digest: string): number | null
  /** A file that fails is forgotten, so that it is run again whatever its inputs. */
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
      // Whole or not at all: a run may be ended at any moment.
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(proofs))
      renameSync(`${path}.${process.pid}`, path)
    },
  }
}

function read(path: string): Record<string, Proof> {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, Proof] => isProof(entry[1])))
  } catch {
    return {} // Not there yet, or cut off: then nothing is proven.
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

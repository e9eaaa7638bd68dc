import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** What a browser and its security key do together, for tests of the server: one key pair, a counter, honest unless told otherwise. */
export type Authenticator = {
  id: string
  register(creation: unknown, bend?: Bend): Record<string, unknown>
  sign(request: unknown, bend?: Bend): Record<string, unknown>
}

/** Ways to be dishonest. */
export type Bend = {
  origin?: string
  rpId?: string
  challenge?: string
  counter?: number
  isVerified?: boolean
  keys?: KeyObject
}

type Question = { challenge: string; rpId?: string; rp?: { id: string } }

export function makeAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let counted = 0
  const clientData = (type: string, { challenge }: Question, bend: Bend) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: bend.challenge ?? challenge,
        origin: bend.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (question: Question, bend: Bend, attested?: Buffer) => {
    counted = bend.counter ?? counted + 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(counted)
    const flags = 0x01 | (bend.isVerified === false ? 0 : 0x04) | (attested ? 0x40 : 0)
    const site = createHash('sha256')
      .update(bend.rpId ?? question.rpId ?? question.rp?.id ?? '')
      .digest()
    return Buffer.concat([site, Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
  }
  const answer = (response: Record<string, string>) => {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
  return {
    id,
    register(creation, bend = {}) {
      const question = creation as Question
      const cose = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credentialId.length]), credentialId, cose])
      const attestation = cborMap([
        ['fmt', 'none'],
        ['attStmt', new Map<string, never>()],
        ['authData', authenticatorData(question, bend, attested)],
      ])
      return answer({
        clientDataJSON: clientData('webauthn.create', question, bend).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      })
    },
    sign(request, bend = {}) {
      const client = clientData('webauthn.get', request as Question, bend)
      const data = authenticatorData(request as Question, bend)
      const signed = createSign('sha256').update(data).update(createHash('sha256').update(client).digest())
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signed.sign(bend.keys ?? privateKey).toString('base64url'),
      })
    },
  }
}

type Cbor = number | string | Buffer | Map<string, never>

/** As much of CBOR as an attestation is written in. */
function cborMap(entries: [number | string, Cbor][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  return Buffer.isBuffer(value) ? Buffer.concat([head(2, value.length), value]) : head(5, 0)
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size])
  if (size < 256) return Buffer.from([(kind << 5) | 24, size])
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 255])
}

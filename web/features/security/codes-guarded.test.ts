import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const web = join(dirname(import.meta.dirname), '..')

test('whatever shows recovery codes asks before they are lost', () => {
  const read = (place: string) => readFileSync(join(web, place), 'utf8')
  const places = globSync('{desk,features,portal}/**/*.tsx', { cwd: web })
  const showing = places.filter((place) => read(place).includes('<RecoveryCodeList'))
  assert.deepEqual(showing.toSorted(), ['features/security/enrolment.tsx', 'features/security/security-section.tsx'])
  assert.deepEqual(
    showing.filter((place) => !read(place).includes('useCodesGuard(')),
    [],
  )
})

import { lazy, Suspense } from 'react'
import { mount } from '../ui/layout/root.tsx'

/**
 * Read after `mount` has told zod not to compile, since forms bring their schemas along; and by itself, so that what the
 * portal loads first is not cut into more files for what this page shares with it.
 */
const FormFrame = lazy(async () => {
  const { FormFrame, startFrame } = await import('./form-frame.tsx')
  startFrame()
  return { default: FormFrame }
})

mount(
  <Suspense fallback={null}>
    <FormFrame address={new URL(location.href)} />
  </Suspense>,
  async (error) => (await import('../api/log.ts')).report('screen.failed', { error: String(error) }),
)

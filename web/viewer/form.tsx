import { lazy, Suspense } from 'react'
import { mount } from '../ui/layout/root.tsx'

/**
 * Loaded after `mount` has disabled zod's compilation, since forms include schemas; and as a separate chunk, so that code
 * shared with this page does not split the portal's first load into more files.
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

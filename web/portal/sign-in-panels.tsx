import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { SecondStep } from '../features/security/second-step.tsx'
import { ResetPanel } from '../features/session/reset-panel.tsx'
import { queryClient } from '../ui/lists/query-client.ts'

/** Provides the query client, which the sign-in page itself does not load. */
export const MemberResetPanel = (props: ComponentProps<typeof ResetPanel>) => (
  <QueryClientProvider client={queryClient}>
    <ResetPanel {...props} />
  </QueryClientProvider>
)

export const MemberSecondStep = (props: ComponentProps<typeof SecondStep>) => (
  <QueryClientProvider client={queryClient}>
    <SecondStep {...props} />
  </QueryClientProvider>
)

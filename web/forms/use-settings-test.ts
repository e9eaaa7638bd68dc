import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

/** Tests the saved settings. The result is shown for the version that was tested only: later settings are untested. */
export function useSettingsTest<Answer>(version: number, test: () => Promise<Answer>) {
  const [tested, setTested] = useState(version)
  const attempt = useMutation({ mutationFn: test })
  const isCurrent = tested === version
  return {
    isPending: attempt.isPending,
    answer: isCurrent ? attempt.data : undefined,
    error: isCurrent ? attempt.error : null,
    run: () => {
      setTested(version)
      attempt.mutate()
    },
  }
}

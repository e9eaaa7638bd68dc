import { readFormPageMessage } from '@atrium/contract/forms/frame.ts'
import { useEffect, useState } from 'react'

type Scheme = 'dark' | 'light' | undefined

/** The colour scheme from the address, then each change that the parent page announces. */
export function usePageScheme(named: Scheme): Scheme {
  const [scheme, setScheme] = useState(named)
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      // Any window may post here: only messages from the parent page on our origin count.
      if (parent === window || source !== parent || origin !== location.origin) return
      const message = readFormPageMessage(data)
      if (message) setScheme(message.isDark ? 'dark' : 'light')
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  return scheme
}

import { readFormPageWord } from '@atrium/contract/forms/frame.ts'
import { useEffect, useState } from 'react'

type Scheme = 'dark' | 'light' | undefined

/** The colours that the address names, and those that the page around this one has changed to since. */
export function useToldScheme(named: Scheme): Scheme {
  const [scheme, setScheme] = useState(named)
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      // Any window may post to this one: only the page around it counts, and only if it is one of ours.
      if (parent === window || source !== parent || origin !== location.origin) return
      const word = readFormPageWord(data)
      if (word) setScheme(word.isDark ? 'dark' : 'light')
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [])
  return scheme
}

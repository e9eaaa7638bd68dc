import { idShape } from '../ui/lists/search-shapes.ts'

type FrameSearch = {
  formId: string | null
  /** Undefined means the browser's own. */
  scheme: 'dark' | 'light' | undefined
  isInPortal: boolean
}

/** The frame's query parameters. The session identifies the member, so `id` is ignored. */
export function readFrameSearch(search: URLSearchParams): FrameSearch {
  const formId = search.get('form')?.toLowerCase() ?? ''
  const dark = search.get('dark')
  return {
    formId: idShape.test(formId) ? formId : null,
    scheme: dark === '1' ? 'dark' : dark === '0' ? 'light' : undefined,
    isInPortal: search.get('members-portal') === '1',
  }
}

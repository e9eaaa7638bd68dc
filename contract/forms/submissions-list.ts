import { declareList } from '../list.ts'

/** The submissions of a form, newest first. */
export const submissionsList = declareList({ name: 'answers', rows: 'submissions', filters: {} })

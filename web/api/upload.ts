import type { Call, CallAnswer } from '@atrium/contract/call.ts'
import { texts } from '@atrium/contract/texts.ts'
import { apiOrigin, fillPath, toSearch } from './address.ts'
import { ApiError, readFailure } from './api-error.ts'
import { authorization, noteFailure, readAnswer } from './transport.ts'

export type UploadOptions = {
  /** Omitted when the call itself defines the purpose of the file. */
  purpose?: string
  /** The parameters of the call's path. */
  places?: Record<string, string>
  signal?: AbortSignal
  /** A share from 0 to 1. */
  onProgress?: (share: number) => void
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Uploads a file with progress, which fetch does not report. No timeout: a large file over a slow connection is valid. */
export function upload<C extends Call>(definition: C, file: File, options: UploadOptions): Promise<CallAnswer<C>> {
  const request = new XMLHttpRequest()
  const fail = (error: ApiError) => {
    noteFailure(error)
    return error
  }
  return new Promise((resolve, reject) => {
    const { path } = fillPath(definition.path, options.places ?? {})
    request.open('POST', `${apiOrigin()}${path}${toSearch({ purpose: options.purpose })}`)
    request.withCredentials = true
    for (const [name, value] of Object.entries(authorization())) request.setRequestHeader(name, value)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.onProgress?.(event.loaded / event.total)
    }
    request.onerror = () => reject(fail(new ApiError({ code: 'unreachable', message: texts.requestFailed })))
    request.onabort = () => reject(new ApiError({ code: 'aborted', message: texts.requestFailed }))
    request.onload = () => {
      const answer = readJson(request.responseText)
      if (request.status < 200 || request.status > 299)
        return reject(fail(readFailure(request.status, answer, request.getResponseHeader('retry-after'))))
      try {
        resolve(readAnswer(definition, answer))
      } catch (error) {
        reject(error)
      }
    }
    options.signal?.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}

import { useEffect, useState } from 'react'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { callBytes } from './call.ts'
import { useObjectUrl } from './useObjectUrl.ts'
import { useStateFor } from '../hooks/useStateFor.ts'

/**
 * The address of what a call gives to the person who has a key, for an `img` or a frame; nothing until it is there,
 * when it does not come, or when `wanted` is false. `more` is the rest of the input and is read once.
 */
export function useBytesUrl(
  endpoint: Endpoint<any, any>,
  key: string,
  wanted: boolean,
  more: Record<string, string> = {},
): string | undefined {
  const [url, setUrl] = useState<string>()
  const [rest] = useState(more)
  useEffect(() => {
    if (!wanted) return
    let made: string | undefined
    let isGone = false
    void callBytes(endpoint, { key, ...rest }, { quiet: true })
      .then(({ blob }) => {
        if (isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      .catch(() => undefined)
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [endpoint, key, wanted, rest])
  return url
}

/**
 * The address of a picture that comes with the session: a logo, a signature. `version` changes with the
 * picture; the one before stays until the new one is there.
 */
export function usePictureUrl(
  endpoint: Endpoint<any, any>,
  exists: boolean,
  version: string | null,
): string | undefined {
  const [blob, setBlob] = useStateFor<Blob | undefined>(exists, undefined)
  useEffect(() => {
    if (!exists) return
    let isGone = false
    callBytes(endpoint, { v: version ?? '' }, { quiet: true })
      .then((answer) => {
        if (!isGone) setBlob(answer.blob)
      })
      .catch(() => undefined)
    return () => void (isGone = true)
  }, [endpoint, exists, version, setBlob])
  return useObjectUrl(blob)
}

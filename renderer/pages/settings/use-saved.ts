// One setting being changed: shown at once, kept when the server says so, taken back when it refuses.

import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '../../base/notify.tsx'

export interface Saved<Value> {
  /** What is to be shown: the change that is on its way, or what is kept. */
  value: Value
  save: (value: Value) => void
  state: 'still' | 'saving' | 'saved'
  error: string | null
}

const SAVED_FOR_MS = 2500

/**
 * @param kept what the server has, which follows by itself
 * @param send makes it something else
 */
export function useSaved<Value>(kept: Value, send: (value: Value) => Promise<unknown>): Saved<Value> {
  const [shown, setShown] = useState<{ value: Value } | null>(null)
  const [saved, setSaved] = useState(false)
  const mutation = useMutation({
    mutationFn: send,
    onMutate: (value) => {
      setShown({ value })
      setSaved(false)
    },
    onSuccess: () => setSaved(true),
    onError: () => setShown(null),
  })
  // The event that tells of it, or of what somebody else made of it meanwhile.
  const key = JSON.stringify(kept)
  useEffect(() => setShown(null), [key])
  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => setSaved(false), SAVED_FOR_MS)
    return () => clearTimeout(timer)
  }, [saved])
  return {
    value: shown ? shown.value : kept,
    save: mutation.mutate,
    state: mutation.isPending ? 'saving' : saved ? 'saved' : 'still',
    error: mutation.isError ? messageOf(mutation.error) : null,
  }
}

import type { UseFormReturnType } from '@mantine/form'
import { useEffect } from 'react'

/**
 * Keeps a form of which nothing was touched at what the server says; one that somebody edits stays as it is, and only
 * knows the new values as those it would be reset to.
 */
export function useFollowedValues<Values extends object>(
  form: UseFormReturnType<Values>,
  current: Values,
): void {
  const told = JSON.stringify(current)
  useEffect(() => {
    const isEdited = form.isDirty()
    form.setInitialValues(current)
    if (!isEdited) form.setValues(current)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [told])
}

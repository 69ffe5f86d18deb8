import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../base/copy.tsx'
import { formatQuantity } from '../../base/format.ts'
import classes from './addresses.module.css'
import type { Address } from './realm-addresses.ts'

interface Props {
  addresses: Address[]
  of: string
  /** So many are shown at once; a machine with many networks has many addresses. */
  first?: number
}

/** Addresses with where they work and a button that copies. */
export function AddressList({ addresses, of, first = 3 }: Props) {
  const [all, setAll] = useState(false)
  const hidden = addresses.length - first
  const shown = all ? addresses : addresses.slice(0, first)
  return (
    <div className={classes.frame}>
      <ul className={classes.list} aria-label={`Addresses of ${of}`}>
        {shown.map(({ url, reach }) => (
          <li key={url} className={classes.row}>
            <div className={classes.words}>
              <code className={`clip ${classes.url}`} title={url}>
                {url}
              </code>
              <span className={classes.reach}>{reach}</span>
            </div>
            <CopyButton value={url} what={`address ${url}`} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <UnstyledButton className={classes.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : formatQuantity(hidden, 'more address', 'more addresses')}
        </UnstyledButton>
      )}
    </div>
  )
}

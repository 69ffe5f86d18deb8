import { CopyButton } from '../../base/copy.tsx'
import classes from './addresses.module.css'
import type { Address } from './realm-addresses.ts'

/** Addresses with what they are for and a button that copies. */
export function AddressList({ addresses, of }: { addresses: Address[]; of: string }) {
  return (
    <ul className={classes.list} aria-label={`Addresses of ${of}`}>
      {addresses.map(({ url, reach }) => (
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
  )
}

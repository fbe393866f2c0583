import BiologinVault

/// How a change of the enrolled templates is noticed.
extension LoginManager {
    /// The templates on a claimed reader, read now, with all that can be known of them.
    func enrollment(on reader: any ClaimedReader) async throws(LoginError) -> Enrollment {
        let named: Enrollment
        do { named = try await reader.enrollment() } catch .failed(_) { throw .enrollmentUnknown } catch {
            throw LoginError(error)
        }
        return named.adding(content: await contents?.digest(fresh: true))
    }

    /// Throws unless the templates are those of before.
    func check(
        _ now: Enrollment, since earlier: Enrollment, at detection: ChangeDetection
    ) throws(LoginError) {
        switch now.compared(with: earlier, at: detection) {
        case .same: return
        case .changed(let change): throw .informationModified(change)
        case .unknown: throw .enrollmentUnknown
        }
    }

    /// Invalidates the account if its templates are known to have changed. Nobody is asked, and nothing is woken.
    func inspect(_ profile: Profile) async {
        // What was heard may be in a file that cannot be read: that is no change.
        guard unreadable.isEmpty, profile.state == .enabled,
            let known = await verifier.knownEnrollment(of: profile.enrollment.reader)
        else {
            return
        }
        let content = profile.detection == .content ? await contents?.digest(fresh: false) : nil
        guard
            case .changed(let change) = known.adding(content: content)
                .compared(with: profile.enrollment, at: profile.detection)
        else { return }
        await invalidate(profile, change: change, caller: nil)
        chores.queue.yield(.tidy(tag(of: profile.id)))
    }

    /// Seals the key again, now that more can be noticed than when it was sealed: the strength of an account only rises. If it
    /// fails, the account stays as it is.
    func strengthen(_ released: borrowing Released, _ grant: Grant, _ caller: Caller) async {
        let old = released.profile, tag = tag(of: old.id)
        guard grant.enrollment.detection > old.detection else { return }
        do throws(LoginError) {
            let generation = try await onDisk { () throws(StateError) in try await state.takeGeneration() }
            let record = try seal(released.unsealed.loginKey, old.sealedAnew(grant.enrollment, generation: generation))
            try await writing(tag) { manager throws(LoginError) in
                guard let current = manager.accounts[tag].current, current.generation == old.generation,
                    current.state == .enabled
                else { return }
                try await manager.replace(
                    with: record, current.sealedAnew(grant.enrollment, generation: generation), grant.operation)
            }
        } catch { journal(error, of: "sealing anew", tag, caller) }
    }
}

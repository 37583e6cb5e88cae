def _worker_loop(kind, dataset, worker_id, workers=1):
    return dataset[worker_id]
